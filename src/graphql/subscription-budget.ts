import { CallerError } from '../domain/failures.ts';

/** What the open subscriptions of each tenant cost together: each is answered again with every change. */
export class SubscriptionBudget {
  private readonly spent = new Map<string, number>();

  /**
   * Counts a subscription of a tenant in.
   * @param most that the tenant's subscriptions may cost together
   * @returns what counts it out again; once is enough
   * @throws CallerError BUSY when that would be more
   */
  take(tenantId: string, cost: number, most: number): () => void {
    const sum = (this.spent.get(tenantId) ?? 0) + cost;
    if (sum > most) throw tooMuch(cost, sum, most);
    this.spent.set(tenantId, sum);
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      const left = (this.spent.get(tenantId) ?? 0) - cost;
      if (left > 0) this.spent.set(tenantId, left);
      else this.spent.delete(tenantId);
    };
  }
}

function tooMuch(cost: number, sum: number, most: number): CallerError {
  const message = `with this subscription, which costs ${Math.round(cost)}, those of your tenant that are open would cost ${Math.round(sum)}, at most ${most} is allowed; end some first, or ask for fewer fields`;
  return new CallerError('BUSY', null, message);
}
