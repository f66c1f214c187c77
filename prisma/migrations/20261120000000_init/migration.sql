-- CreateEnum
CREATE TYPE "Role" AS ENUM ('GATEWAY', 'WORKFLOW', 'ADMIN');

-- CreateEnum
CREATE TYPE "SiteState" AS ENUM ('ACTIVE', 'DRAINING', 'SUSPENDED');

-- CreateEnum
CREATE TYPE "ExecutionState" AS ENUM ('REQUESTED', 'HELD', 'SUBMITTING', 'QUEUED', 'RUNNING', 'ENDED');

-- CreateEnum
CREATE TYPE "ExecutionOutcome" AS ENUM ('COMPLETED', 'FAILED', 'CANCELLED', 'TIMEOUT', 'NODE_FAIL', 'PREEMPTED', 'OUT_OF_MEMORY', 'REJECTED', 'LOST');

-- CreateEnum
CREATE TYPE "JobOutcome" AS ENUM ('COMPLETED', 'FAILED', 'CANCELLED', 'TIMEOUT', 'NODE_FAIL', 'PREEMPTED', 'OUT_OF_MEMORY');

-- CreateEnum
CREATE TYPE "SubmissionState" AS ENUM ('INTENDED', 'ACCEPTED', 'REJECTED', 'ABSENT');

-- CreateEnum
CREATE TYPE "ReservationState" AS ENUM ('PROMISED', 'SUBMITTED', 'HOLDING', 'KEPT', 'MISSED', 'CANCELLED');

-- CreateEnum
CREATE TYPE "ReservationMode" AS ENUM ('HOLD', 'WINDOW', 'BEST_EFFORT');

-- CreateEnum
CREATE TYPE "MissPolicy" AS ENUM ('CANCEL', 'RUN_LATE');

-- CreateEnum
CREATE TYPE "CoAllocationRule" AS ENUM ('ALL', 'ANY', 'AT_LEAST');

-- CreateEnum
CREATE TYPE "CoAllocationState" AS ENUM ('PENDING', 'SUCCEEDED', 'FAILED', 'CANCELLED');

-- CreateEnum
CREATE TYPE "ChargeKind" AS ENUM ('NEEDED', 'PADDING', 'LOST');

-- CreateEnum
CREATE TYPE "WakeUpKind" AS ENUM ('EXECUTION', 'SITE', 'CO_ALLOCATION');

-- CreateTable
CREATE TABLE "Tenant" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Tenant_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Principal" (
    "id" UUID NOT NULL,
    "tenantId" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "role" "Role" NOT NULL,

    CONSTRAINT "Principal_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Token" (
    "id" UUID NOT NULL,
    "principalId" UUID NOT NULL,
    "hash" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3),
    "revokedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Token_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Site" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "adapter" TEXT NOT NULL,
    "configuration" JSONB NOT NULL,
    "state" "SiteState" NOT NULL DEFAULT 'ACTIVE',
    "processors" INTEGER NOT NULL DEFAULT 0,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "observedAt" TIMESTAMPTZ(3),
    "snapshot" JSONB,
    "historySince" TIMESTAMPTZ(3),
    "fault" TEXT,
    "wakeAt" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 0,
    "leaseExpiresAt" TIMESTAMPTZ(3),

    CONSTRAINT "Site_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Queue" (
    "siteId" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "isDefault" BOOLEAN NOT NULL,
    "maxProcessors" INTEGER,
    "maxWalltimeSeconds" INTEGER,

    CONSTRAINT "Queue_pkey" PRIMARY KEY ("siteId","name")
);

-- CreateTable
CREATE TABLE "Record" (
    "siteId" UUID NOT NULL,
    "nativeId" TEXT NOT NULL,
    "submitAt" TIMESTAMPTZ(3) NOT NULL,
    "user" TEXT,
    "queue" TEXT,
    "processors" INTEGER NOT NULL,
    "requestedWalltimeSeconds" INTEGER,
    "startAt" TIMESTAMPTZ(3),
    "endAt" TIMESTAMPTZ(3),
    "outcome" "JobOutcome",
    "revision" BIGSERIAL NOT NULL,

    CONSTRAINT "Record_pkey" PRIMARY KEY ("siteId","nativeId","submitAt")
);

-- CreateTable
CREATE TABLE "Observation" (
    "siteId" UUID NOT NULL,
    "observedAt" TIMESTAMPTZ(3) NOT NULL,
    "processors" INTEGER NOT NULL,
    "freeProcessors" INTEGER NOT NULL,
    "waitingJobs" INTEGER NOT NULL,
    "waitingProcessors" INTEGER NOT NULL,
    "runningJobs" INTEGER NOT NULL,

    CONSTRAINT "Observation_pkey" PRIMARY KEY ("siteId","observedAt")
);

-- CreateTable
CREATE TABLE "Execution" (
    "id" UUID NOT NULL,
    "tenantId" UUID NOT NULL,
    "principalId" UUID NOT NULL,
    "requestId" TEXT NOT NULL,
    "state" "ExecutionState" NOT NULL,
    "outcome" "ExecutionOutcome",
    "reason" TEXT,
    "name" TEXT NOT NULL,
    "script" TEXT NOT NULL,
    "arguments" TEXT[],
    "processors" INTEGER NOT NULL,
    "walltimeSeconds" INTEGER NOT NULL,
    "queue" TEXT,
    "allowedSiteIds" UUID[],
    "deadlineAt" TIMESTAMPTZ(3),
    "siteId" UUID,
    "siteQueue" TEXT,
    "submitAt" TIMESTAMPTZ(3),
    "submittedWalltimeSeconds" INTEGER,
    "nativeId" TEXT,
    "nativeSubmittedAt" TIMESTAMPTZ(3),
    "startedAt" TIMESTAMPTZ(3),
    "endedAt" TIMESTAMPTZ(3),
    "exitCode" INTEGER,
    "missingSince" TIMESTAMPTZ(3),
    "cancelRequestedAt" TIMESTAMPTZ(3),
    "cancelReason" TEXT,
    "settledAt" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "wakeAt" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 0,
    "leaseExpiresAt" TIMESTAMPTZ(3),

    CONSTRAINT "Execution_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Submission" (
    "key" TEXT NOT NULL,
    "executionId" UUID NOT NULL,
    "siteId" UUID NOT NULL,
    "attempt" INTEGER NOT NULL,
    "state" "SubmissionState" NOT NULL,
    "nativeId" TEXT,
    "siteSays" TEXT,
    "intendedAt" TIMESTAMPTZ(3) NOT NULL,
    "resolvedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Submission_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "Plan" (
    "id" UUID NOT NULL,
    "executionId" UUID NOT NULL,
    "revision" INTEGER NOT NULL,
    "madeAt" TIMESTAMPTZ(3) NOT NULL,
    "chosenSiteId" UUID,
    "submitAt" TIMESTAMPTZ(3) NOT NULL,
    "candidates" JSONB NOT NULL,

    CONSTRAINT "Plan_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Forecast" (
    "id" UUID NOT NULL,
    "planId" UUID NOT NULL,
    "siteId" UUID NOT NULL,
    "predictor" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "madeAt" TIMESTAMPTZ(3) NOT NULL,
    "observedAt" TIMESTAMPTZ(3) NOT NULL,
    "queue" TEXT,
    "processors" INTEGER NOT NULL,
    "walltimeSeconds" INTEGER NOT NULL,
    "submitAt" TIMESTAMPTZ(3) NOT NULL,
    "sampleSize" INTEGER NOT NULL,
    "pointSeconds" DOUBLE PRECISION,
    "quantileSeconds" DOUBLE PRECISION[],

    CONSTRAINT "Forecast_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Reservation" (
    "id" UUID NOT NULL,
    "tenantId" UUID NOT NULL,
    "executionId" UUID NOT NULL,
    "coAllocationId" UUID,
    "state" "ReservationState" NOT NULL,
    "mode" "ReservationMode" NOT NULL,
    "startAt" TIMESTAMPTZ(3) NOT NULL,
    "windowOpensAt" TIMESTAMPTZ(3),
    "ifMissed" "MissPolicy" NOT NULL,
    "probability" DOUBLE PRECISION NOT NULL,
    "promisedProbability" DOUBLE PRECISION NOT NULL,
    "currentProbability" DOUBLE PRECISION NOT NULL,
    "worstPaddingProcessorSeconds" DOUBLE PRECISION NOT NULL,
    "expectedPaddingProcessorSeconds" DOUBLE PRECISION NOT NULL,
    "maxPaddingProcessorSeconds" DOUBLE PRECISION,
    "trajectory" JSONB NOT NULL,
    "recomputedAt" TIMESTAMPTZ(3) NOT NULL,
    "decidedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Reservation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "CoAllocation" (
    "id" UUID NOT NULL,
    "tenantId" UUID NOT NULL,
    "requestId" TEXT NOT NULL,
    "rule" "CoAllocationRule" NOT NULL,
    "atLeast" INTEGER,
    "startAt" TIMESTAMPTZ(3) NOT NULL,
    "probability" DOUBLE PRECISION NOT NULL,
    "promisedProbability" DOUBLE PRECISION NOT NULL,
    "state" "CoAllocationState" NOT NULL,
    "decidedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "wakeAt" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 0,
    "leaseExpiresAt" TIMESTAMPTZ(3),

    CONSTRAINT "CoAllocation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Charge" (
    "id" UUID NOT NULL,
    "executionId" UUID NOT NULL,
    "kind" "ChargeKind" NOT NULL,
    "processorSeconds" DOUBLE PRECISION NOT NULL,
    "chargedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Charge_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Score" (
    "id" UUID NOT NULL,
    "siteId" UUID NOT NULL,
    "forecastId" UUID,
    "executionId" UUID NOT NULL,
    "predictor" TEXT NOT NULL,
    "metric" TEXT NOT NULL,
    "predicted" DOUBLE PRECISION NOT NULL,
    "actual" DOUBLE PRECISION NOT NULL,
    "scoredAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Score_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Outbox" (
    "id" BIGSERIAL NOT NULL,
    "kind" "WakeUpKind" NOT NULL,
    "targetId" UUID NOT NULL,
    "wakeAt" TIMESTAMPTZ(3) NOT NULL,
    "requestId" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Outbox_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "IdempotencyKey" (
    "tenantId" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "mutation" TEXT NOT NULL,
    "bodyHash" TEXT NOT NULL,
    "response" JSONB,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "IdempotencyKey_pkey" PRIMARY KEY ("tenantId","key")
);

-- CreateIndex
CREATE UNIQUE INDEX "Tenant_name_key" ON "Tenant"("name");

-- CreateIndex
CREATE UNIQUE INDEX "Principal_tenantId_name_key" ON "Principal"("tenantId", "name");

-- CreateIndex
CREATE UNIQUE INDEX "Token_hash_key" ON "Token"("hash");

-- CreateIndex
CREATE UNIQUE INDEX "Site_name_key" ON "Site"("name");

-- CreateIndex
CREATE INDEX "Record_siteId_revision_idx" ON "Record"("siteId", "revision");

-- CreateIndex
CREATE INDEX "Observation_observedAt_idx" ON "Observation"("observedAt");

-- CreateIndex
CREATE INDEX "Execution_tenantId_createdAt_id_idx" ON "Execution"("tenantId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "Execution_wakeAt_idx" ON "Execution"("wakeAt");

-- CreateIndex
CREATE INDEX "Execution_siteId_state_idx" ON "Execution"("siteId", "state");

-- CreateIndex
CREATE UNIQUE INDEX "Submission_executionId_attempt_key" ON "Submission"("executionId", "attempt");

-- CreateIndex
CREATE UNIQUE INDEX "Plan_executionId_revision_key" ON "Plan"("executionId", "revision");

-- CreateIndex
CREATE INDEX "Forecast_siteId_madeAt_idx" ON "Forecast"("siteId", "madeAt");

-- CreateIndex
CREATE UNIQUE INDEX "Reservation_executionId_key" ON "Reservation"("executionId");

-- CreateIndex
CREATE INDEX "Reservation_tenantId_createdAt_id_idx" ON "Reservation"("tenantId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "Reservation_coAllocationId_idx" ON "Reservation"("coAllocationId");

-- CreateIndex
CREATE INDEX "CoAllocation_tenantId_createdAt_id_idx" ON "CoAllocation"("tenantId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "CoAllocation_wakeAt_idx" ON "CoAllocation"("wakeAt");

-- CreateIndex
CREATE UNIQUE INDEX "Charge_executionId_kind_key" ON "Charge"("executionId", "kind");

-- CreateIndex
CREATE INDEX "Score_siteId_predictor_metric_idx" ON "Score"("siteId", "predictor", "metric");

-- CreateIndex
CREATE UNIQUE INDEX "Score_executionId_predictor_metric_key" ON "Score"("executionId", "predictor", "metric");

-- AddForeignKey
ALTER TABLE "Principal" ADD CONSTRAINT "Principal_tenantId_fkey" FOREIGN KEY ("tenantId") REFERENCES "Tenant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Token" ADD CONSTRAINT "Token_principalId_fkey" FOREIGN KEY ("principalId") REFERENCES "Principal"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Queue" ADD CONSTRAINT "Queue_siteId_fkey" FOREIGN KEY ("siteId") REFERENCES "Site"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Record" ADD CONSTRAINT "Record_siteId_fkey" FOREIGN KEY ("siteId") REFERENCES "Site"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Observation" ADD CONSTRAINT "Observation_siteId_fkey" FOREIGN KEY ("siteId") REFERENCES "Site"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Execution" ADD CONSTRAINT "Execution_siteId_fkey" FOREIGN KEY ("siteId") REFERENCES "Site"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Submission" ADD CONSTRAINT "Submission_executionId_fkey" FOREIGN KEY ("executionId") REFERENCES "Execution"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Plan" ADD CONSTRAINT "Plan_executionId_fkey" FOREIGN KEY ("executionId") REFERENCES "Execution"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Forecast" ADD CONSTRAINT "Forecast_planId_fkey" FOREIGN KEY ("planId") REFERENCES "Plan"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Forecast" ADD CONSTRAINT "Forecast_siteId_fkey" FOREIGN KEY ("siteId") REFERENCES "Site"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Reservation" ADD CONSTRAINT "Reservation_executionId_fkey" FOREIGN KEY ("executionId") REFERENCES "Execution"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Reservation" ADD CONSTRAINT "Reservation_coAllocationId_fkey" FOREIGN KEY ("coAllocationId") REFERENCES "CoAllocation"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Charge" ADD CONSTRAINT "Charge_executionId_fkey" FOREIGN KEY ("executionId") REFERENCES "Execution"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Score" ADD CONSTRAINT "Score_siteId_fkey" FOREIGN KEY ("siteId") REFERENCES "Site"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Score" ADD CONSTRAINT "Score_forecastId_fkey" FOREIGN KEY ("forecastId") REFERENCES "Forecast"("id") ON DELETE SET NULL ON UPDATE CASCADE;
