ALTER TABLE "Forecast" ALTER COLUMN "walltimeSeconds" DROP NOT NULL;
