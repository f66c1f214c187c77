-- DropIndex
DROP INDEX "Score_siteId_predictor_metric_idx";

-- AlterTable
ALTER TABLE "CoAllocation" ADD COLUMN "pairedObservations" INTEGER,
ADD COLUMN "pessimisticProbability" DOUBLE PRECISION;

-- CreateIndex
CREATE INDEX "Score_siteId_predictor_metric_scoredAt_idx" ON "Score"("siteId", "predictor", "metric", "scoredAt");
