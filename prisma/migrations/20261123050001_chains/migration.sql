-- A job may be handed to its site ahead of the end of the one that it comes after, and waits inside for being told to
-- begin.
ALTER TABLE "Execution"
  ADD COLUMN "startsAhead" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "gateSeconds" DOUBLE PRECISION,
  ADD COLUMN "gateOpenedAt" TIMESTAMPTZ(3),
  ADD COLUMN "expectedGapSeconds" DOUBLE PRECISION;
