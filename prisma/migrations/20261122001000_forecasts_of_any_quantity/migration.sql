ALTER TABLE "Forecast" ADD COLUMN "quantity" TEXT NOT NULL DEFAULT 'wait';
ALTER TABLE "Score" ADD COLUMN "quantity" TEXT NOT NULL DEFAULT 'wait';

UPDATE "Score" SET "metric" = 'POINT' WHERE "metric" = 'WAIT_POINT_SECONDS';
UPDATE "Score" SET "metric" = 'BOUND95' WHERE "metric" = 'WAIT_BOUND95_SECONDS';

DROP INDEX "Score_executionId_predictor_metric_key";
DROP INDEX "Score_siteId_predictor_metric_scoredAt_idx";
CREATE UNIQUE INDEX "Score_executionId_quantity_predictor_metric_key" ON "Score"("executionId", "quantity", "predictor", "metric");
CREATE INDEX "Score_siteId_quantity_predictor_metric_scoredAt_idx" ON "Score"("siteId", "quantity", "predictor", "metric", "scoredAt");
