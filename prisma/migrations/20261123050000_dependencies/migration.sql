-- A job may come after others: it waits until each of them has ended, or has completed.
CREATE TYPE "DependencyCondition" AS ENUM ('ANY_END', 'SUCCESS');

ALTER TABLE "Execution"
  ADD COLUMN "awaits" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "readyAt" TIMESTAMPTZ(3);

CREATE TABLE "Dependency" (
  "executionId" UUID NOT NULL,
  "predecessorId" UUID NOT NULL,
  "condition" "DependencyCondition" NOT NULL,
  CONSTRAINT "Dependency_pkey" PRIMARY KEY ("executionId", "predecessorId")
);

CREATE INDEX "Dependency_predecessorId_idx" ON "Dependency"("predecessorId");

ALTER TABLE "Dependency" ADD CONSTRAINT "Dependency_executionId_fkey" FOREIGN KEY ("executionId") REFERENCES "Execution"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "Dependency" ADD CONSTRAINT "Dependency_predecessorId_fkey" FOREIGN KEY ("predecessorId") REFERENCES "Execution"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
