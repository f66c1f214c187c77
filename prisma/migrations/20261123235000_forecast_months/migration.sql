-- Forecasts are kept by months. Their ids are UUIDs of version 7, which begin with the moment of their making in
-- milliseconds: a range of ids is a range of time. What is there stays where it is, without being copied, as one
-- partition up to the end of next month.
ALTER TABLE "Score" DROP CONSTRAINT "Score_forecastId_fkey";

ALTER TABLE "Forecast" RENAME TO "Forecast_before";
ALTER TABLE "Forecast_before" RENAME CONSTRAINT "Forecast_pkey" TO "Forecast_before_pkey";
ALTER TABLE "Forecast_before" RENAME CONSTRAINT "Forecast_planId_fkey" TO "Forecast_before_planId_fkey";
ALTER TABLE "Forecast_before" RENAME CONSTRAINT "Forecast_siteId_fkey" TO "Forecast_before_siteId_fkey";
DROP INDEX "Forecast_siteId_madeAt_idx";
ALTER INDEX "Forecast_planId_idx" RENAME TO "Forecast_before_planId_idx";

CREATE TABLE "Forecast" (LIKE "Forecast_before" INCLUDING DEFAULTS) PARTITION BY RANGE ("id");
ALTER TABLE "Forecast" ADD CONSTRAINT "Forecast_pkey" PRIMARY KEY ("id");
ALTER TABLE "Forecast" ADD CONSTRAINT "Forecast_planId_fkey" FOREIGN KEY ("planId") REFERENCES "Plan"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "Forecast" ADD CONSTRAINT "Forecast_siteId_fkey" FOREIGN KEY ("siteId") REFERENCES "Site"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
CREATE INDEX "Forecast_planId_idx" ON "Forecast"("planId");

-- Whatever belongs to no month that is there yet.
CREATE TABLE "Forecast_default" PARTITION OF "Forecast" DEFAULT;

WITH later AS (
  DELETE FROM "Forecast_before"
   WHERE "id" >= rpad(lpad(to_hex((extract(epoch FROM (date_trunc('month', now() AT TIME ZONE 'UTC') + interval '2 months') AT TIME ZONE 'UTC') * 1000)::bigint), 12, '0'), 32, '0')::uuid
  RETURNING *)
INSERT INTO "Forecast" SELECT * FROM later;

ALTER TABLE "Forecast" ATTACH PARTITION "Forecast_before" FOR VALUES FROM (MINVALUE)
  TO (rpad(lpad(to_hex((extract(epoch FROM (date_trunc('month', now() AT TIME ZONE 'UTC') + interval '2 months') AT TIME ZONE 'UTC') * 1000)::bigint), 12, '0'), 32, '0')::uuid);
