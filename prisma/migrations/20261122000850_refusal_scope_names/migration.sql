-- The scope of a refusal and the reason that plans give for it are one thing under one name.
ALTER TYPE "RefusalScope" RENAME VALUE 'ACCESS' TO 'QUEUE_FORBIDDEN';
