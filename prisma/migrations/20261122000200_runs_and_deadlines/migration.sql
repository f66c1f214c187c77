-- AlterTable
ALTER TABLE "Execution" ADD COLUMN     "deadlineMissedAt" TIMESTAMPTZ(3),
ADD COLUMN     "earlierRunSeconds" DOUBLE PRECISION NOT NULL DEFAULT 0;

-- CreateIndex
CREATE INDEX "Execution_deadlineAt_idx" ON "Execution"("deadlineAt");

-- CreateIndex
CREATE INDEX "Execution_siteId_state_submitAt_idx" ON "Execution"("siteId", "state", "submitAt");
