-- AlterTable
ALTER TABLE "Execution" ADD COLUMN     "leaseHolder" INTEGER;

-- AlterTable
ALTER TABLE "Site" ADD COLUMN     "leaseHolder" INTEGER;

-- AlterTable
ALTER TABLE "CoAllocation" ADD COLUMN     "leaseHolder" INTEGER;

-- AlterTable
ALTER TABLE "IdempotencyKey" ADD COLUMN     "callId" UUID,
ADD COLUMN     "processId" INTEGER;

-- CreateIndex
CREATE INDEX "IdempotencyKey_expiresAt_idx" ON "IdempotencyKey"("expiresAt");
