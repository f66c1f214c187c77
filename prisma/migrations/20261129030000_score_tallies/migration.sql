-- A score card adds up days that are summed up already, and the scores since.
CREATE TABLE "ScoreDay" (
    "siteId" UUID NOT NULL,
    "startsAt" TIMESTAMPTZ(3) NOT NULL,
    "quantity" TEXT NOT NULL,
    "predictor" TEXT NOT NULL,
    "scored" INTEGER NOT NULL,
    "points" INTEGER NOT NULL,
    "absoluteError" DOUBLE PRECISION NOT NULL,
    "bounds" INTEGER NOT NULL,
    "withinBound" INTEGER NOT NULL,
    "promises" INTEGER NOT NULL,
    "promised" DOUBLE PRECISION NOT NULL,
    "kept" DOUBLE PRECISION NOT NULL,
    "squaredError" DOUBLE PRECISION NOT NULL,
    "deadlines" INTEGER NOT NULL,
    "promisedDeadlines" DOUBLE PRECISION NOT NULL,
    "keptDeadlines" DOUBLE PRECISION NOT NULL,
    "walltimes" INTEGER NOT NULL,
    "acceptedRisk" DOUBLE PRECISION NOT NULL,
    "killed" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "ScoreDay_pkey" PRIMARY KEY ("siteId","startsAt","quantity","predictor")
);
CREATE INDEX "ScoreDay_startsAt_idx" ON "ScoreDay"("startsAt");
ALTER TABLE "ScoreDay" ADD CONSTRAINT "ScoreDay_siteId_fkey" FOREIGN KEY ("siteId") REFERENCES "Site"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

CREATE TABLE "ScoreTotal" (
    "siteId" UUID NOT NULL,
    "quantity" TEXT NOT NULL,
    "predictor" TEXT NOT NULL,
    "scored" INTEGER NOT NULL,
    "points" INTEGER NOT NULL,
    "absoluteError" DOUBLE PRECISION NOT NULL,
    "bounds" INTEGER NOT NULL,
    "withinBound" INTEGER NOT NULL,
    "promises" INTEGER NOT NULL,
    "promised" DOUBLE PRECISION NOT NULL,
    "kept" DOUBLE PRECISION NOT NULL,
    "squaredError" DOUBLE PRECISION NOT NULL,
    "deadlines" INTEGER NOT NULL,
    "promisedDeadlines" DOUBLE PRECISION NOT NULL,
    "keptDeadlines" DOUBLE PRECISION NOT NULL,
    "walltimes" INTEGER NOT NULL,
    "acceptedRisk" DOUBLE PRECISION NOT NULL,
    "killed" DOUBLE PRECISION NOT NULL,
    "untilAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ScoreTotal_pkey" PRIMARY KEY ("siteId","quantity","predictor")
);
CREATE INDEX "ScoreTotal_untilAt_idx" ON "ScoreTotal"("untilAt");
ALTER TABLE "ScoreTotal" ADD CONSTRAINT "ScoreTotal_siteId_fkey" FOREIGN KEY ("siteId") REFERENCES "Site"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

CREATE INDEX "Score_scoredAt_idx" ON "Score"("scoredAt");
CREATE INDEX "SlotForecast_scoredAt_idx" ON "SlotForecast"("scoredAt");
