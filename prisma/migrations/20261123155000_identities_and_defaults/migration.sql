CREATE TABLE "IdentityCheck" (
  "siteId" UUID NOT NULL,
  "tenant" TEXT NOT NULL,
  "user" TEXT NOT NULL,
  "checkedAt" TIMESTAMPTZ(3) NOT NULL,
  "fault" TEXT,
  CONSTRAINT "IdentityCheck_pkey" PRIMARY KEY ("siteId", "tenant")
);
ALTER TABLE "IdentityCheck" ADD CONSTRAINT "IdentityCheck_siteId_fkey"
  FOREIGN KEY ("siteId") REFERENCES "Site"("id") ON DELETE CASCADE ON UPDATE CASCADE;
CREATE INDEX "IdentityCheck_tenant_idx" ON "IdentityCheck"("tenant");
CREATE TABLE "SiteDefault" (
  "siteId" UUID NOT NULL,
  "tenant" TEXT NOT NULL,
  "queue" TEXT,
  "account" TEXT,
  "qos" TEXT,
  "siteReservation" TEXT,
  "workFolder" TEXT,
  "mail" JSONB,
  CONSTRAINT "SiteDefault_pkey" PRIMARY KEY ("siteId", "tenant")
);
ALTER TABLE "SiteDefault" ADD CONSTRAINT "SiteDefault_siteId_fkey"
  FOREIGN KEY ("siteId") REFERENCES "Site"("id") ON DELETE CASCADE ON UPDATE CASCADE;
CREATE INDEX "SiteDefault_tenant_idx" ON "SiteDefault"("tenant");
ALTER TABLE "Submission"
  ADD COLUMN "user" TEXT,
  ADD COLUMN "account" TEXT,
  ADD COLUMN "qos" TEXT;
