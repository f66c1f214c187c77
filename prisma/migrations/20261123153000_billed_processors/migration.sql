ALTER TABLE "Execution" ADD COLUMN "billedProcessors" DOUBLE PRECISION;
