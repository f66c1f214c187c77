-- Services of a site that are left alone, as of its newest look.
ALTER TABLE "Site" ADD COLUMN "openBreakers" JSONB NOT NULL DEFAULT '[]';
