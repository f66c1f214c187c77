ALTER TYPE "SiteState" ADD VALUE 'REMOVING';
ALTER TABLE "Site" ADD COLUMN "removedAt" TIMESTAMPTZ(3);
DROP INDEX "Site_name_key";
CREATE UNIQUE INDEX "Site_name_key" ON "Site"("name") WHERE "removedAt" IS NULL;
