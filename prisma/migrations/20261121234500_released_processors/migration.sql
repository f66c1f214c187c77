-- AlterEnum
ALTER TYPE "SubmissionState" ADD VALUE 'RELEASING';
ALTER TYPE "SubmissionState" ADD VALUE 'RELEASED';

-- AlterTable
ALTER TABLE "Reservation" ADD COLUMN     "holdPriceSeconds" DOUBLE PRECISION,
ADD COLUMN     "releasedProcessorSeconds" DOUBLE PRECISION NOT NULL DEFAULT 0;
