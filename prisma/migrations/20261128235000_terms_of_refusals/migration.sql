-- A refusal counts for jobs on the terms on which it was made, one for a limit of jobs while the site has as many.
ALTER TABLE "Refusal" ADD COLUMN "account" TEXT NOT NULL DEFAULT '',
  ADD COLUMN "qos" TEXT NOT NULL DEFAULT '',
  ADD COLUMN "mostJobs" INTEGER;
ALTER TABLE "Refusal" DROP CONSTRAINT "Refusal_pkey",
  ADD CONSTRAINT "Refusal_pkey"
  PRIMARY KEY ("siteId", "tenantId", "queue", "scope", "processors", "walltimeSeconds", "account", "qos");
