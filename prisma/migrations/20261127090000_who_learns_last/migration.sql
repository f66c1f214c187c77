-- Processes that answer people learn sites only while no other process can.
ALTER TABLE "ForecastingProcess" ADD COLUMN "learnsLast" BOOLEAN NOT NULL DEFAULT false;
