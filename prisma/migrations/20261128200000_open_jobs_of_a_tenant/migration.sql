-- How many open jobs a tenant has is counted before it gets more.
CREATE INDEX "Execution_tenantId_open_idx" ON "Execution"("tenantId") WHERE "state" <> 'ENDED';
