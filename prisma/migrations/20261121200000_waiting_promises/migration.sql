-- CreateIndex
CREATE INDEX "Reservation_state_recomputedAt_idx" ON "Reservation"("state", "recomputedAt");
