-- A job that is under way is written some seven times, and each time into every index that holds it. So indexes that are
-- about a few jobs, or about jobs that are over, hold these alone. What asks for a value finds it there: a value is no
-- null.
DROP INDEX "Execution_siteId_state_idx";

DROP INDEX "Execution_tenantId_outcome_createdAt_idx";
CREATE INDEX "Execution_tenantId_outcome_createdAt_idx" ON "Execution"("tenantId", "outcome", "createdAt")
  WHERE "outcome" IS NOT NULL;
DROP INDEX "Execution_tenantId_endedAt_idx";
CREATE INDEX "Execution_tenantId_endedAt_idx" ON "Execution"("tenantId", "endedAt") WHERE "endedAt" IS NOT NULL;
DROP INDEX "Execution_tenantId_idempotencyKey_idx";
CREATE INDEX "Execution_tenantId_idempotencyKey_idx" ON "Execution"("tenantId", "idempotencyKey")
  WHERE "idempotencyKey" IS NOT NULL;
DROP INDEX "Execution_groupId_state_outcome_idx";
CREATE INDEX "Execution_groupId_state_outcome_idx" ON "Execution"("groupId", "state", "outcome")
  WHERE "groupId" IS NOT NULL;
DROP INDEX "Execution_groupId_taskIndex_idx";
CREATE INDEX "Execution_groupId_taskIndex_idx" ON "Execution"("groupId", "taskIndex") WHERE "groupId" IS NOT NULL;
DROP INDEX "Execution_wakeAt_idx";
CREATE INDEX "Execution_wakeAt_idx" ON "Execution"("wakeAt") WHERE "wakeAt" IS NOT NULL;
DROP INDEX "Execution_leaseExpiresAt_idx";
CREATE INDEX "Execution_leaseExpiresAt_idx" ON "Execution"("leaseExpiresAt") WHERE "leaseExpiresAt" IS NOT NULL;
DROP INDEX "Execution_deadlineAt_idx";
CREATE INDEX "Execution_deadlineAt_idx" ON "Execution"("deadlineAt") WHERE "deadlineAt" IS NOT NULL;
DROP INDEX "Execution_heldBackBehindId_idx";
CREATE INDEX "Execution_heldBackBehindId_idx" ON "Execution"("heldBackBehindId") WHERE "heldBackBehindId" IS NOT NULL;
