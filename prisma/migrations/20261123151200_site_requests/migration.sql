ALTER TABLE "Execution" RENAME COLUMN "siteQueues" TO "siteChoices";
ALTER TABLE "Execution"
  ADD COLUMN "account" TEXT,
  ADD COLUMN "qos" TEXT,
  ADD COLUMN "siteReservation" TEXT,
  ADD COLUMN "environment" JSONB,
  ADD COLUMN "workFolder" TEXT,
  ADD COLUMN "mail" JSONB;
