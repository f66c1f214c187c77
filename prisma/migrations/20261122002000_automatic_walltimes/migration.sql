-- A walltime that is chosen by the risk of being killed by it: the risk, the most that is asked for, and whose forecast
-- of the runtime it rests on.
ALTER TABLE "Execution"
  ADD COLUMN "walltimeRisk" DOUBLE PRECISION,
  ADD COLUMN "walltimeAtMostSeconds" INTEGER,
  ADD COLUMN "walltimePredictor" TEXT;
