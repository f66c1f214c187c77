-- CreateEnum
CREATE TYPE "LegMissPolicy" AS ENUM ('CANCEL_ALL', 'GO_ON', 'REPLACE');

-- AlterTable
ALTER TABLE "Reservation" ADD COLUMN "legId" TEXT;
UPDATE "Reservation" SET "legId" = "id"::text WHERE "coAllocationId" IS NOT NULL;

-- AlterTable
ALTER TABLE "CoAllocation"
  ADD COLUMN "nested" JSONB,
  ADD COLUMN "ifLegMissed" "LegMissPolicy" NOT NULL DEFAULT 'CANCEL_ALL',
  ADD COLUMN "reason" TEXT,
  ADD COLUMN "cancelRequestedAt" TIMESTAMPTZ(3);
UPDATE "CoAllocation" g SET "nested" = jsonb_build_object(
  'rule', g."rule"::text,
  'atLeast', g."atLeast",
  'members', COALESCE(
    (SELECT jsonb_agg(jsonb_build_object('legId', r."legId") ORDER BY r."id") FROM "Reservation" r WHERE r."coAllocationId" = g."id"),
    '[]'::jsonb));
ALTER TABLE "CoAllocation" DROP COLUMN "rule", DROP COLUMN "atLeast";
ALTER TABLE "CoAllocation" RENAME COLUMN "nested" TO "rule";
ALTER TABLE "CoAllocation" ALTER COLUMN "rule" SET NOT NULL, ALTER COLUMN "ifLegMissed" DROP DEFAULT;

-- DropEnum
DROP TYPE "CoAllocationRule";

-- CreateIndex
CREATE INDEX "Execution_leaseExpiresAt_idx" ON "Execution"("leaseExpiresAt");

-- CreateIndex
CREATE INDEX "CoAllocation_leaseExpiresAt_idx" ON "CoAllocation"("leaseExpiresAt");
