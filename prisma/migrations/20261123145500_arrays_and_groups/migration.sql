-- Jobs have labels, keys to be found by, and groups. They are tried again by policy, and cancelled many at a time.
ALTER TYPE "WakeUpKind" ADD VALUE 'JOB_GROUP';
ALTER TYPE "WakeUpKind" ADD VALUE 'BULK_CANCEL';

CREATE TABLE "JobGroup" (
  "id" UUID NOT NULL,
  "tenantId" UUID NOT NULL,
  "principalId" UUID NOT NULL,
  "requestId" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "idempotencyKey" TEXT,
  "size" INTEGER NOT NULL,
  "mostAtOnce" INTEGER,
  "siteLimits" JSONB NOT NULL DEFAULT '{}',
  "reason" TEXT,
  "stuckSince" TIMESTAMPTZ(3),
  "createdAt" TIMESTAMPTZ(3) NOT NULL,
  "endedAt" TIMESTAMPTZ(3),
  "wakeAt" TIMESTAMPTZ(3),
  "version" INTEGER NOT NULL DEFAULT 0,
  "leaseExpiresAt" TIMESTAMPTZ(3),
  "leaseHolder" INTEGER,
  CONSTRAINT "JobGroup_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "JobGroup_tenantId_createdAt_id_idx" ON "JobGroup"("tenantId", "createdAt", "id");
CREATE INDEX "JobGroup_tenantId_idempotencyKey_idx" ON "JobGroup"("tenantId", "idempotencyKey");
CREATE INDEX "JobGroup_wakeAt_idx" ON "JobGroup"("wakeAt");
CREATE INDEX "JobGroup_leaseExpiresAt_idx" ON "JobGroup"("leaseExpiresAt");

ALTER TABLE "Execution"
  ADD COLUMN "idempotencyKey" TEXT,
  ADD COLUMN "labels" TEXT[] DEFAULT ARRAY[]::TEXT[],
  ADD COLUMN "groupId" UUID,
  ADD COLUMN "taskIndex" INTEGER,
  ADD COLUMN "retryOn" "ExecutionOutcome"[] DEFAULT ARRAY[]::"ExecutionOutcome"[],
  ADD COLUMN "mostTries" INTEGER,
  ADD COLUMN "retryWalltimeAtMostSeconds" INTEGER,
  ADD COLUMN "retryMemoryAtMostMebibytes" INTEGER,
  ADD COLUMN "retryMemoryFactor" DOUBLE PRECISION,
  ADD COLUMN "failedTries" INTEGER NOT NULL DEFAULT 0,
  ADD CONSTRAINT "Execution_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "JobGroup"("id")
    ON DELETE SET NULL ON UPDATE CASCADE;
CREATE INDEX "Execution_tenantId_name_createdAt_idx" ON "Execution"("tenantId", "name", "createdAt");
CREATE INDEX "Execution_tenantId_outcome_createdAt_idx" ON "Execution"("tenantId", "outcome", "createdAt");
CREATE INDEX "Execution_tenantId_endedAt_idx" ON "Execution"("tenantId", "endedAt");
CREATE INDEX "Execution_tenantId_idempotencyKey_idx" ON "Execution"("tenantId", "idempotencyKey");
CREATE INDEX "Execution_labels_idx" ON "Execution" USING GIN ("labels");
CREATE INDEX "Execution_groupId_state_outcome_idx" ON "Execution"("groupId", "state", "outcome");
CREATE INDEX "Execution_groupId_taskIndex_idx" ON "Execution"("groupId", "taskIndex");

CREATE TABLE "GroupDependency" (
  "executionId" UUID NOT NULL,
  "groupId" UUID NOT NULL,
  "condition" "DependencyCondition" NOT NULL,
  CONSTRAINT "GroupDependency_pkey" PRIMARY KEY ("executionId", "groupId"),
  CONSTRAINT "GroupDependency_executionId_fkey" FOREIGN KEY ("executionId") REFERENCES "Execution"("id")
    ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT "GroupDependency_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "JobGroup"("id")
    ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "GroupDependency_groupId_idx" ON "GroupDependency"("groupId");

CREATE TABLE "Try" (
  "executionId" UUID NOT NULL,
  "number" INTEGER NOT NULL,
  "siteId" UUID NOT NULL,
  "queue" TEXT,
  "key" TEXT NOT NULL,
  "nativeId" TEXT,
  "processors" INTEGER NOT NULL,
  "walltimeSeconds" INTEGER NOT NULL,
  "submittedAt" TIMESTAMPTZ(3),
  "startedAt" TIMESTAMPTZ(3),
  "endedAt" TIMESTAMPTZ(3) NOT NULL,
  "outcome" "ExecutionOutcome" NOT NULL,
  "exitCode" INTEGER,
  "reason" TEXT NOT NULL,
  "processorSeconds" DOUBLE PRECISION NOT NULL,
  CONSTRAINT "Try_pkey" PRIMARY KEY ("executionId", "number"),
  CONSTRAINT "Try_executionId_fkey" FOREIGN KEY ("executionId") REFERENCES "Execution"("id")
    ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE TABLE "BulkCancel" (
  "id" UUID NOT NULL,
  "tenantId" UUID NOT NULL,
  "principalId" UUID NOT NULL,
  "requestId" TEXT NOT NULL,
  "filter" JSONB NOT NULL,
  "ids" UUID[],
  "done" INTEGER NOT NULL DEFAULT 0,
  "wantedAt" TIMESTAMPTZ(3) NOT NULL,
  "endedAt" TIMESTAMPTZ(3),
  "wakeAt" TIMESTAMPTZ(3),
  "version" INTEGER NOT NULL DEFAULT 0,
  "leaseExpiresAt" TIMESTAMPTZ(3),
  "leaseHolder" INTEGER,
  CONSTRAINT "BulkCancel_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "BulkCancel_tenantId_wantedAt_idx" ON "BulkCancel"("tenantId", "wantedAt");
CREATE INDEX "BulkCancel_wakeAt_idx" ON "BulkCancel"("wakeAt");
CREATE INDEX "BulkCancel_leaseExpiresAt_idx" ON "BulkCancel"("leaseExpiresAt");
