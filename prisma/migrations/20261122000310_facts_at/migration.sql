-- AlterTable
ALTER TABLE "Site" ADD COLUMN "factsAt" TIMESTAMPTZ(3);
