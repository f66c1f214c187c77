-- The ledger by month is read from a moment on.
CREATE INDEX "Charge_chargedAt_idx" ON "Charge"("chargedAt");
