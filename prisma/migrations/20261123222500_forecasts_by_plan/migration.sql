CREATE INDEX "Forecast_planId_idx" ON "Forecast"("planId");
