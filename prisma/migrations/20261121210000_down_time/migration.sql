-- AlterTable
ALTER TABLE "Site"
  ADD COLUMN "downTimeState" JSONB,
  ADD COLUMN "downEvidence" JSONB NOT NULL DEFAULT '[]',
  ADD COLUMN "suspendedAt" TIMESTAMPTZ(3);
