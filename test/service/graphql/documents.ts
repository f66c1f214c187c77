/** Documents that several tests send. */
const ERRORS = 'userErrors { code field message }';

export const SUBMIT = `mutation Submit($input: SubmitJobInput!) {
  submitJob(input: $input) { job { id name state processors queue site { name } plan { madeAt } } ${ERRORS} }
}`;

export const RESERVE = `mutation Reserve($input: ReserveInput!) {
  reserve(input: $input) {
    reservation {
      id state mode startAt probability promisedProbability currentProbability submitAt decidedAt
      worstPaddingProcessorSeconds expectedPaddingProcessorSeconds
      site { name } coAllocation { id } charges { kind } trajectory { submitAt walltimeSeconds probability }
      job { id state submitAt plan { chosen { site { name } } candidates { site { name } lostBecause forecast { boundSeconds } } } }
    }
    bestOffer { siteName probability submitAt } ${ERRORS}
  }
}`;

export const CO_ALLOCATE = `mutation CoAllocate($input: CoAllocateInput!) {
  coAllocate(input: $input) {
    coAllocation {
      id rule atLeast state probability promisedProbability
      legs { id state site { name } job { id state name } coAllocation { id } }
    } ${ERRORS}
  }
}`;

export const CANCEL_JOB = `mutation CancelJob($input: CancelInput!) {
  cancelJob(input: $input) { job { id state cancelRequestedAt } ${ERRORS} }
}`;

export const CANCEL_RESERVATION = `mutation CancelReservation($input: CancelInput!) {
  cancelReservation(input: $input) { reservation { id job { cancelRequestedAt } } ${ERRORS} }
}`;

export const CANCEL_CO_ALLOCATION = `mutation CancelCoAllocation($input: CancelInput!) {
  cancelCoAllocation(input: $input) { coAllocation { id legs { job { cancelRequestedAt } } } ${ERRORS} }
}`;

export const REGISTER_SITE = `mutation RegisterSite($input: RegisterSiteInput!) {
  registerSite(input: $input) { site { id name adapter state observedAt stale processors } ${ERRORS} }
}`;

export const UPDATE_SITE = `mutation UpdateSite($input: UpdateSiteInput!) {
  updateSite(input: $input) { site { id name } ${ERRORS} }
}`;

export const DRAIN_SITE = `mutation DrainSite($input: DrainSiteInput!) {
  drainSite(input: $input) { site { name state } ${ERRORS} }
}`;

export const IMPORT_HISTORY = `mutation ImportHistory($input: ImportHistoryInput!) {
  importHistory(input: $input) { site { name records } imported changed skipped remarks { reason count } ${ERRORS} }
}`;
