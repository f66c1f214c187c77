CREATE TABLE "Import" (
    "id" UUID NOT NULL,
    "siteId" UUID NOT NULL,
    "principalId" UUID NOT NULL,
    "importedAt" TIMESTAMPTZ(3) NOT NULL,
    "imported" INTEGER NOT NULL,
    "changed" INTEGER NOT NULL,
    "skipped" INTEGER NOT NULL,
    "undoneAt" TIMESTAMPTZ(3),
    "removed" INTEGER,
    CONSTRAINT "Import_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "Import_siteId_importedAt_idx" ON "Import"("siteId", "importedAt");
ALTER TABLE "Import" ADD CONSTRAINT "Import_siteId_fkey" FOREIGN KEY ("siteId") REFERENCES "Site"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "Import" ADD CONSTRAINT "Import_principalId_fkey" FOREIGN KEY ("principalId") REFERENCES "Principal"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "Record" ADD COLUMN "importId" UUID;
CREATE INDEX "Record_importId_idx" ON "Record"("importId");
ALTER TABLE "Site" ADD COLUMN "recordsEpoch" INTEGER NOT NULL DEFAULT 0;
