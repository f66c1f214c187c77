ALTER TABLE "Execution"
  ADD COLUMN "finishProbability" DOUBLE PRECISION,
  ADD COLUMN "promisedFinishProbability" DOUBLE PRECISION,
  ADD COLUMN "currentFinishProbability" DOUBLE PRECISION,
  ADD COLUMN "ifDeadlineMissed" "MissPolicy",
  ADD COLUMN "finishMoves" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "finishKept" BOOLEAN;

CREATE INDEX "Execution_siteId_settledAt_idx" ON "Execution" ("siteId", "settledAt") WHERE "finishKept" IS NOT NULL;
