-- Folders that are kept after their jobs go when they are old or too many. What was sent of outputs in vain is counted.
ALTER TYPE "StagingState" ADD VALUE 'KEPT' BEFORE 'CLEARING';
ALTER TABLE "StagedFile" ADD COLUMN "vainBytes" DOUBLE PRECISION NOT NULL DEFAULT 0;
CREATE INDEX "Staging_tenantId_siteId_state_deadlineAt_idx" ON "Staging"("tenantId", "siteId", "state", "deadlineAt");
