/** Who wants a slot, and for what. */
export interface Claimant {
  readonly tenantId: string;
  /** The site that is to be asked; null when none is. */
  readonly siteId: string | null;
  /** Goes before all that is not: promises, submissions in doubt, jobs that a site is to give up. */
  readonly isUrgent: boolean;
}

interface Waiting {
  readonly claimant: Claimant;
  enter(slot: Slot | null): void;
}

/** What goes by one slot, and how many of it have not come out yet. */
interface Slot {
  readonly claimant: Claimant;
  members: number;
}

/**
 * Hands out a worker's slots: what is urgent first, but for a few slots, tenants in turn, and at one site no more than
 * its share, so that neither a tenant that asks for much nor a site that answers slowly keeps the others waiting. What
 * waits of one tenant for one site goes by one slot together, up to a bound, for together it costs little more than one
 * of it: its statements are shared. What is urgent goes alone.
 */
export class FairGate {
  private readonly atSite = new Map<string, number>();
  private readonly servedAt = new Map<string, number>();
  private waiting: Waiting[] = [];
  private taken = 0;
  /** Of the slots taken, those by what is urgent. */
  private urgent = 0;
  private served = 0;
  private isOpen = true;

  constructor(
    private readonly slots: number,
    private readonly slotsPerSite: number,
    /** Slots that only what is urgent gets. Half as many only what is not gets, so that it always goes on. */
    private readonly urgentSlots = 0,
    /** That go by one slot. */
    private readonly mostTogether = 1,
  ) {}

  /** Does the work when it is its turn; null when the gate was closed before. */
  async pass<Result>(claimant: Claimant, work: () => Promise<Result>): Promise<Result | null> {
    const slot = await new Promise<Slot | null>((enter) => {
      this.waiting.push({ claimant, enter });
      this.letIn();
    });
    if (slot === null) return null;
    try {
      return await work();
    } finally {
      slot.members--;
      if (slot.members === 0) this.giveBack(slot);
    }
  }

  /** Lets nobody in any more; those who wait go away. */
  close(): void {
    this.isOpen = false;
    this.letIn();
  }

  private giveBack({ claimant }: Slot): void {
    this.taken--;
    this.count(claimant, -1);
    if (this.taken === 0 && this.waiting.length === 0) this.servedAt.clear();
    this.letIn();
  }

  private letIn(): void {
    if (!this.isOpen) {
      for (const { enter } of this.waiting.splice(0)) enter(null);
      return;
    }
    while (this.taken < this.slots) {
      const next = this.pick();
      if (!next) return;
      const together = this.together(next);
      this.waiting = this.waiting.filter((other) => !together.has(other));
      this.taken++;
      this.count(next.claimant, 1);
      this.servedAt.set(next.claimant.tenantId, ++this.served);
      const slot = { claimant: next.claimant, members: together.size };
      for (const { enter } of together) enter(slot);
    }
  }

  /** It and the like of it, in the order in which they came. */
  private together(next: Waiting): ReadonlySet<Waiting> {
    const { tenantId, siteId, isUrgent } = next.claimant;
    if (isUrgent) return new Set([next]);
    const alike = this.waiting.filter(
      ({ claimant: other }) => other.tenantId === tenantId && other.siteId === siteId && !other.isUrgent,
    );
    return new Set(alike.slice(0, this.mostTogether));
  }

  /** The first to come of the tenant that was served longest ago, among the urgent if there are any. */
  private pick(): Waiting | null {
    let best: Waiting | null = null;
    for (const candidate of this.waiting) {
      if (this.hasRoom(candidate.claimant) && (best === null || this.goesBefore(candidate, best))) best = candidate;
    }
    return best;
  }

  private goesBefore({ claimant: a }: Waiting, { claimant: b }: Waiting): boolean {
    if (a.isUrgent !== b.isUrgent) return a.isUrgent;
    return (this.servedAt.get(a.tenantId) ?? 0) < (this.servedAt.get(b.tenantId) ?? 0);
  }

  private hasRoom({ siteId, isUrgent }: Claimant): boolean {
    const alike = isUrgent ? this.urgent : this.taken - this.urgent;
    const kept = isUrgent ? Math.ceil(this.urgentSlots / 2) : this.urgentSlots;
    return alike < this.slots - kept && this.hasRoomAt(siteId);
  }

  private hasRoomAt(siteId: string | null): boolean {
    return siteId === null || (this.atSite.get(siteId) ?? 0) < this.slotsPerSite;
  }

  private count({ siteId, isUrgent }: Claimant, change: 1 | -1): void {
    if (isUrgent) this.urgent += change;
    if (siteId === null) return;
    const count = (this.atSite.get(siteId) ?? 0) + change;
    if (count > 0) this.atSite.set(siteId, count);
    else this.atSite.delete(siteId);
  }
}
