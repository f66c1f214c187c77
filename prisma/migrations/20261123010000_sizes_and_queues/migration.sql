-- Jobs that may run at several sizes: what was stated, the sizes and what tells their runtimes. Null and empty for a job
-- of one size. Beside that queues that are named for some sites.
ALTER TABLE "Execution"
  ADD COLUMN "statedProcessors" INTEGER,
  ADD COLUMN "statedWalltimeSeconds" INTEGER,
  ADD COLUMN "sizes" INTEGER[] NOT NULL DEFAULT '{}',
  ADD COLUMN "sizesFromHistory" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "speedup" JSONB,
  ADD COLUMN "siteQueues" JSONB NOT NULL DEFAULT '[]';
-- The queue that an attempt was handed to.
ALTER TABLE "Submission" ADD COLUMN "queue" TEXT;
-- Of several ways to run a job at its site only what was forecast of the chosen one is scored.
ALTER TABLE "Forecast" ADD COLUMN "isOfChosen" BOOLEAN NOT NULL DEFAULT true;
