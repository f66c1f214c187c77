/** Everything the command line asks of the API. A test validates each document against the committed schema. */

const SPREAD = `fragment Spread on Forecast {
  predictor version madeAt observedAt ageSeconds stale sampleSize pointSeconds relativePointSeconds
  medianSeconds: boundSeconds(probability: 0.5)
  boundSeconds(probability: 0.95)
}`;

const FORECAST = `fragment WaitParts on WaitForecast {
  ...Spread atOnceProbability aboutSeconds
  outsideKnownRange { explanation followed }
  putOff { startAt explanation maintenance { startAt endAt processors reason } }
}
${SPREAD}`;

const BYTES = `fragment Bytes on BytesForecast {
  predictor sampleSize pointBytes relativePointBytes medianBytes: boundBytes(probability: 0.5) boundBytes(probability: 0.95)
}`;

/** A wait and a runtime, and the probability of each to be within a time. */
const WITHIN = 'probabilityWithin(seconds: $within)';
const OF_JOB = `runtime { ...Spread ${WITHIN} } readBytes { ...Bytes } writtenBytes { ...Bytes }`;
const BOTH = `...WaitParts ${WITHIN} probabilityToStartWithin(seconds: $within) ${OF_JOB}`;

const JOB = `fragment JobParts on Job {
  id name owner state outcome reason queue processors walltimeSeconds walltimeRisk deadlineAt deadlineMissedAt submitAt maxDelaySeconds heldBackSince nativeId submittedAt
  deadline { at probability promisedProbability currentProbability ifMissed moves missedAt kept }
  startedAt endedAt exitCode waitSeconds cancelRequestedAt createdAt
  siteReason siteEstimatedStartAt sitePriority
  site { name }
  charges { kind processorSeconds }
  submissions { key state intendedAt siteSays site { name } }
}`;

const RESERVATION = `fragment ReservationParts on Reservation {
  id state mode startAt windowOpensAt ifMissed probability promisedProbability currentProbability submitAt
  worstPaddingProcessorSeconds expectedPaddingProcessorSeconds releasedProcessorSeconds decidedAt createdAt
  site { name }
  trajectory { submitAt walltimeSeconds probability }
  charges { kind processorSeconds }
  job { id name state outcome reason processors walltimeSeconds nativeId submittedAt startedAt endedAt waitSeconds }
}`;

const CO_ALLOCATION = `fragment CoAllocationParts on CoAllocation {
  id ruleText ifLegMissed startAt probability promisedProbability pessimisticProbability pairedObservations
  state reason decidedAt createdAt
  legs { leg ...ReservationParts }
}
${RESERVATION}`;

const PLAN = `fragment PlanParts on Plan {
  madeAt submitAt objective
  chosen { site { name } }
  finishBySize { site { name } processors walltimeSeconds finishAt lowAt highAt chargeProcessorSeconds isChosen }
  candidates {
    site { name } queue processors walltimeSeconds submitAt responseSeconds gainScore costProcessorSeconds lostBecause explanation
    score risk beforeChosenProbability
    waitIntervals { probability lowSeconds highSeconds }
    runtimeIntervals { probability lowSeconds highSeconds }
    finishIntervals { probability lowSeconds highSeconds }
    charge { neededProcessorSeconds expectedNeededProcessorSeconds worstPaddingProcessorSeconds expectedPaddingProcessorSeconds }
    forecast { ...WaitParts }
    runtime { ...Spread }
  }
}
${FORECAST}`;

const SITE = `fragment SiteParts on Site {
  id name adapter state tags processors usableProcessors observedAt ageSeconds stale fault freeProcessors waitingJobs runningJobs
  records learning
  maintenance { startAt endAt processors reason }
  queues { name isDefault maxProcessors maxWalltimeSeconds usableProcessors bar barredTerm unusableBecause }
  downTime { suspendedAt evidence { sign sinceAt explanation } }
  promises { decided kept promised }
}`;

const GROUP = `fragment GroupParts on JobGroup {
  id name size limit reason createdAt endedAt counts { state outcome count }
}`;

const ERRORS = 'userErrors { code field message }';

export const DOCUMENTS = {
  viewer: 'query Viewer { viewer { name role tenant } serverTime }',
  serverTime: 'query ServerTime { serverTime }',
  siteIds: 'query SiteIds { sites { id name } }',
  sites: `query Sites { serverTime sites { ...SiteParts } }
  ${SITE}`,
  site: `query Site($id: ID!) {
    site(id: $id) {
      ...SiteParts
      loadForecast(hours: 12) {
        predictor slots { startsAt sampleSize processors median: processorsAtMost(probability: 0.5) bound: processorsAtMost }
      }
      ioForecast(hours: 12) {
        ageSeconds burstBytesPerSecond jobs slots { startsAt readBytesPerSecond writtenBytesPerSecond isBurst }
      }
    }
  }
  ${SITE}`,
  forecast: `query Forecast($siteId: ID!, $input: ForecastInput!, $within: Float!) {
    forecast(siteId: $siteId, input: $input) { ${BOTH} }
  }
  ${FORECAST}
  ${BYTES}`,
  forecasts: `query Forecasts($siteIds: [ID!], $input: ForecastInput!, $within: Float!) {
    forecasts(siteIds: $siteIds, input: $input) {
      site { name } explanation
      forecast { ${BOTH} }
    }
  }
  ${FORECAST}
  ${BYTES}`,
  walltimeAdvice: `query WalltimeAdvice($input: WalltimeAdviceInput!) {
    walltimeAdvice(input: $input) {
      site { name } explanation
      runtime { ...Spread }
      requestedWait { ...WaitBounds }
      advice { risk walltimeSeconds killedProbability reason medianWaitSavedSeconds wait { ...WaitBounds } }
    }
  }
  fragment WaitBounds on WaitForecast {
    medianSeconds: boundSeconds(probability: 0.5) bound90Seconds: boundSeconds(probability: 0.9)
  }
  ${SPREAD}`,
  plan: `query Plan($input: PlanInput!) { plan(input: $input) { ...PlanParts directives { line text warning } } }
  ${PLAN}`,
  reservationOffer: `query ReservationOffer($input: ReserveInput!) {
    reservationOffer(input: $input) {
      kind reason promisedProbability withheld
      outsideKnownRange { explanation followed }
      site { name }
      point { submitAt walltimeSeconds probability }
      charge {
        neededProcessorSeconds expectedNeededProcessorSeconds worstPaddingProcessorSeconds expectedPaddingProcessorSeconds
      }
      trajectory { submitAt walltimeSeconds probability }
    }
  }`,
  scores: `query Scores($siteId: ID) {
    predictorScores(siteId: $siteId) {
      site { name } quantity predictor count meanAbsoluteErrorSeconds meanAbsoluteErrorProcessors meanAbsoluteErrorBytes coverage95
      promises promisedProbability keptShare brierScore walltimes acceptedRisk killedShare
      deadlines promisedDeadlineProbability deadlineKeptShare
    }
  }`,
  job: `query Job($id: ID!) { job(id: $id) { ...JobParts expectedEndAt runtime { ...Spread } after { when met job { id name state outcome } } gapSeconds expectedGapSeconds stagedFiles { path direction state bytes movedBytes reason } plan { ...PlanParts } } }
  ${JOB}
  ${PLAN}`,
  reservation: `query Reservation($id: ID!) { reservation(id: $id) { ...ReservationParts } }
  ${RESERVATION}`,
  coAllocation: `query CoAllocation($id: ID!) { coAllocation(id: $id) { ...CoAllocationParts } }
  ${CO_ALLOCATION}`,
  kind: 'query Kind($id: ID!) { node(id: $id) { __typename id } }',
  jobIds: `query JobIds($after: String) {
    page: jobs(first: 100, after: $after) { edges { node { id name } } pageInfo { hasNextPage endCursor } }
  }`,
  reservationIds: `query ReservationIds($after: String) {
    page: reservations(first: 100, after: $after) { edges { node { id job { name } } } pageInfo { hasNextPage endCursor } }
  }`,
  coAllocationIds: `query CoAllocationIds($after: String) {
    page: coAllocations(first: 100, after: $after) { edges { node { id } } pageInfo { hasNextPage endCursor } }
  }`,
  overview: `query Overview($first: Int!) {
    serverTime
    viewer { name role tenant }
    jobs(first: $first) {
      edges { node { id name state outcome processors walltimeSeconds waitSeconds expectedEndAt site { name } } }
    }
    reservations(first: $first) {
      edges {
        node {
          id state startAt promisedProbability currentProbability
          site { name }
          job { name processors }
        }
      }
    }
    coAllocations(first: $first) { edges { node { id rule state startAt probability } } }
  }`,
  jobsAtSite: `query JobsAtSite($siteId: ID!, $first: Int!) {
    jobs(siteId: $siteId, first: $first, includeReserved: true) {
      totalCount
      edges {
        node {
          id name owner state outcome nativeId processors walltimeSeconds waitSeconds expectedEndAt
          reservation { id }
        }
      }
    }
  }`,
  reservations: `query Reservations($first: Int!, $after: String) {
    serverTime
    reservations(first: $first, after: $after) {
      edges {
        node {
          id state probability promisedProbability startAt decidedAt
          site { name }
          charges { kind processorSeconds }
          job { id name state outcome nativeId }
        }
      }
      pageInfo { hasNextPage endCursor }
    }
  }`,
  submitJob: `mutation SubmitJob($input: SubmitJobInput!) { submitJob(input: $input) { job { ...JobParts } warnings ${ERRORS} } }
  ${JOB}`,
  reserve: `mutation Reserve($input: ReserveInput!) {
    reserve(input: $input) { reservation { ...ReservationParts } bestOffer { siteName submitAt probability } warnings ${ERRORS} }
  }
  ${RESERVATION}`,
  coAllocate: `mutation CoAllocate($input: CoAllocateInput!) {
    coAllocate(input: $input) {
      coAllocation { ...CoAllocationParts }
      bestOffer { probability pessimisticProbability pairedObservations }
      warnings
      ${ERRORS}
    }
  }
  ${CO_ALLOCATION}`,
  submitNow: `mutation SubmitNow($input: SubmitNowInput!) { submitNow(input: $input) { job { ...JobParts } ${ERRORS} } }
  ${JOB}`,
  submitArray: `mutation SubmitArray($input: SubmitArrayInput!) {
    submitArray(input: $input) { group { ...GroupParts } warnings ${ERRORS} }
  }
  ${GROUP}`,
  jobGroup: `query JobGroup($id: ID!) { jobGroup(id: $id) { ...GroupParts } }
  ${GROUP}`,
  groupChanged: 'subscription GroupChanged($id: ID) { groupChanged(id: $id) { id } }',
  filteredJobs: `query FilteredJobs($filter: JobFilterInput, $first: Int!) {
    jobs(filter: $filter, first: $first) {
      totalCount
      edges { node { id name state outcome processors walltimeSeconds waitSeconds expectedEndAt site { name } } }
    }
  }`,
  cancelJobs: `mutation CancelJobs($input: CancelJobsInput!) { cancelJobs(input: $input) { matched ${ERRORS} } }`,
  cancelJob: `mutation CancelJob($input: CancelInput!) { cancelJob(input: $input) { job { id state } ${ERRORS} } }`,
  cancelReservation: `mutation CancelReservation($input: CancelInput!) {
    cancelReservation(input: $input) { reservation { id state } ${ERRORS} }
  }`,
  cancelCoAllocation: `mutation CancelCoAllocation($input: CancelInput!) {
    cancelCoAllocation(input: $input) { coAllocation { id state } ${ERRORS} }
  }`,
  registerSite: `mutation RegisterSite($input: RegisterSiteInput!) {
    registerSite(input: $input) { site { id name } ${ERRORS} }
  }`,
  updateSite: `mutation UpdateSite($input: UpdateSiteInput!) { updateSite(input: $input) { site { name } ${ERRORS} } }`,
  checkSite: `mutation CheckSite($input: CheckSiteInput!) {
    checkSite(input: $input) {
      check {
        passed processors waitingJobs runningJobs recentRecords clockSkewSeconds accounting accountingLagSeconds
        queues { name isDefault maxProcessors maxWalltimeSeconds usableProcessors bar barredTerm unusableBecause }
        verbs { verb result fault faultCode milliseconds } identities { tenant user fault }
      }
      ${ERRORS}
    }
  }`,
  drainSite: `mutation DrainSite($input: DrainSiteInput!) { drainSite(input: $input) { site { name state } ${ERRORS} } }`,
  removeSite: `mutation RemoveSite($input: RemoveSiteInput!) {
    removeSite(input: $input) { site { name state removedAt } ${ERRORS} }
  }`,
  importHistory: `mutation ImportHistory($input: ImportHistoryInput!) {
    importHistory(input: $input) { importId imported changed skipped remarks { reason count } ${ERRORS} }
  }`,
  imports: `query Imports($id: ID!) {
    site(id: $id) { imports { id importedAt importedBy imported changed skipped undoneAt removed } }
  }`,
  undoImport: `mutation UndoImport($input: UndoImportInput!) { undoImport(input: $input) { removed ${ERRORS} } }`,
  jobChanged: `subscription JobChanged($id: ID) { jobChanged(id: $id) { ...JobParts } }
  ${JOB}`,
  reservationChanged: `subscription ReservationChanged($id: ID) { reservationChanged(id: $id) { ...ReservationParts } }
  ${RESERVATION}`,
  coAllocationChanged: `subscription CoAllocationChanged($id: ID) { coAllocationChanged(id: $id) { ...CoAllocationParts } }
  ${CO_ALLOCATION}`,
} as const;
