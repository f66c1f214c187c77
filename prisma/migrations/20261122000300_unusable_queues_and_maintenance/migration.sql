-- CreateEnum
CREATE TYPE "QueueBar" AS ENUM ('DOWN', 'FORBIDDEN');

-- AlterTable
ALTER TABLE "Site" ADD COLUMN "usableProcessors" INTEGER,
ADD COLUMN "maintenance" JSONB NOT NULL DEFAULT '[]';

-- AlterTable
ALTER TABLE "Queue" ADD COLUMN "bar" "QueueBar",
ADD COLUMN "unusableBecause" TEXT;
