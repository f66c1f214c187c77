-- AlterTable
ALTER TABLE "Queue" ADD COLUMN "usableProcessors" INTEGER;
