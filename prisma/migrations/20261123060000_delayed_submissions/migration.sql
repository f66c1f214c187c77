-- Jobs that may be held back before a site sees them, and those that queue behind them.
ALTER TABLE "Execution" ADD COLUMN "maxDelaySeconds" INTEGER,
ADD COLUMN "heldBackSince" TIMESTAMPTZ(3),
ADD COLUMN "heldBackBehindId" UUID;

CREATE INDEX "Execution_heldBackBehindId_idx" ON "Execution"("heldBackBehindId");
