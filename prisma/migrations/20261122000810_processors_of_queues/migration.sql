-- AlterTable
ALTER TABLE "Queue" ADD COLUMN "processors" INTEGER;
