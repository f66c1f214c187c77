-- A site may take a job in and say only then that it never starts it.
ALTER TABLE "Execution" ADD COLUMN "neverStartsSince" TIMESTAMPTZ(3);
