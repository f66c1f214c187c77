CREATE TABLE "SlotForecast" (
  "siteId" UUID NOT NULL,
  "quantity" TEXT NOT NULL,
  "predictor" TEXT NOT NULL,
  "version" TEXT NOT NULL,
  "madeAt" TIMESTAMPTZ(3) NOT NULL,
  "startsAt" TIMESTAMPTZ(3) NOT NULL,
  "slotSeconds" INTEGER NOT NULL,
  "lead" INTEGER NOT NULL,
  "sampleSize" INTEGER NOT NULL,
  "point" DOUBLE PRECISION NOT NULL,
  "bound95" DOUBLE PRECISION,
  "actual" DOUBLE PRECISION,
  "scoredAt" TIMESTAMPTZ(3),
  CONSTRAINT "SlotForecast_pkey" PRIMARY KEY ("siteId", "quantity", "predictor", "lead", "startsAt")
);

CREATE INDEX "SlotForecast_siteId_quantity_scoredAt_startsAt_idx" ON "SlotForecast"("siteId", "quantity", "scoredAt", "startsAt");
CREATE INDEX "SlotForecast_startsAt_idx" ON "SlotForecast"("startsAt");

ALTER TABLE "SlotForecast" ADD CONSTRAINT "SlotForecast_siteId_fkey" FOREIGN KEY ("siteId") REFERENCES "Site"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
