-- Files are moved to jobs and out of them, in folders of their own.
ALTER TYPE "WakeUpKind" ADD VALUE 'STAGING';
ALTER TYPE "ExecutionOutcome" ADD VALUE 'STAGING_FAILED';
CREATE TYPE "StagingState" AS ENUM ('FILLING', 'READY', 'EMPTYING', 'CLEARING', 'ENDED');
CREATE TYPE "StageDirection" AS ENUM ('IN', 'OUT');
CREATE TYPE "StagedFileState" AS ENUM ('WAITING', 'MOVING', 'MOVED', 'FAILED', 'SKIPPED');

ALTER TABLE "Execution" ADD COLUMN "staging" JSONB;
ALTER TABLE "Site" ADD COLUMN "stagedBytesPerSecond" DOUBLE PRECISION;

CREATE TABLE "Staging" (
  "id" UUID NOT NULL,
  "tenantId" UUID NOT NULL,
  "executionId" UUID NOT NULL,
  "siteId" UUID NOT NULL,
  "failedTries" INTEGER NOT NULL,
  "state" "StagingState" NOT NULL,
  "folder" TEXT,
  "keepsFolder" BOOLEAN NOT NULL,
  "deadlineAt" TIMESTAMPTZ(3) NOT NULL,
  "faults" INTEGER NOT NULL DEFAULT 0,
  "fault" TEXT,
  "createdAt" TIMESTAMPTZ(3) NOT NULL,
  "endedAt" TIMESTAMPTZ(3),
  "wakeAt" TIMESTAMPTZ(3),
  "version" INTEGER NOT NULL DEFAULT 0,
  "leaseExpiresAt" TIMESTAMPTZ(3),
  "leaseHolder" INTEGER,
  CONSTRAINT "Staging_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "Staging_executionId_fkey" FOREIGN KEY ("executionId") REFERENCES "Execution"("id")
    ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT "Staging_siteId_fkey" FOREIGN KEY ("siteId") REFERENCES "Site"("id")
    ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "Staging_executionId_createdAt_idx" ON "Staging"("executionId", "createdAt");
CREATE INDEX "Staging_siteId_idx" ON "Staging"("siteId");
CREATE INDEX "Staging_wakeAt_idx" ON "Staging"("wakeAt");
CREATE INDEX "Staging_leaseExpiresAt_idx" ON "Staging"("leaseExpiresAt");

CREATE TABLE "StagedFile" (
  "stagingId" UUID NOT NULL,
  "direction" "StageDirection" NOT NULL,
  "position" INTEGER NOT NULL,
  "path" TEXT NOT NULL,
  "address" TEXT NOT NULL,
  "statedBytes" DOUBLE PRECISION,
  "statedSha256" TEXT,
  "state" "StagedFileState" NOT NULL DEFAULT 'WAITING',
  "bytes" DOUBLE PRECISION,
  "movedBytes" DOUBLE PRECISION NOT NULL DEFAULT 0,
  "sourceVersion" TEXT,
  "hashState" TEXT,
  "sha256" TEXT,
  "fault" TEXT,
  "restarts" INTEGER NOT NULL DEFAULT 0,
  "movingSeconds" DOUBLE PRECISION NOT NULL DEFAULT 0,
  CONSTRAINT "StagedFile_pkey" PRIMARY KEY ("stagingId", "direction", "position"),
  CONSTRAINT "StagedFile_stagingId_fkey" FOREIGN KEY ("stagingId") REFERENCES "Staging"("id")
    ON DELETE CASCADE ON UPDATE CASCADE
);
