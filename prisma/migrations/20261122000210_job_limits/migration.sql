-- AlterEnum
ALTER TYPE "RefusalScope" ADD VALUE 'JOB_LIMIT';
