import type { Db } from '../../src/store/database.ts';

/** Every state that a row of some tables came into, however short it was in it. */
export interface StateDiary {
  /** The states of one row, first to last. */
  statesOf(table: DiaryTable, id: string): Promise<string[]>;
}

/** The column that tells the rows of each table apart. */
const ID_COLUMNS = { Submission: 'key', Reservation: 'id' } as const;
type DiaryTable = keyof typeof ID_COLUMNS;

/** Lets the database write down the states of submissions and reservations from now on. */
export async function keepStateDiary(db: Db): Promise<StateDiary> {
  await db.$executeRawUnsafe('CREATE TABLE diary (n serial, "table" text, id text, state text)');
  await db.$executeRawUnsafe(`CREATE FUNCTION note_state() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF TG_OP = 'INSERT' OR OLD.state IS DISTINCT FROM NEW.state THEN
      INSERT INTO diary ("table", id, state) VALUES (TG_TABLE_NAME, to_jsonb(NEW) ->> TG_ARGV[0], NEW.state);
    END IF;
    RETURN NULL;
  END $$`);
  for (const [table, column] of Object.entries(ID_COLUMNS)) {
    await db.$executeRawUnsafe(
      `CREATE TRIGGER diary AFTER INSERT OR UPDATE ON "${table}" FOR EACH ROW EXECUTE FUNCTION note_state('${column}')`,
    );
  }
  return {
    async statesOf(table, id) {
      const rows = await db.$queryRaw<{ state: string }[]>`
        SELECT state FROM diary WHERE "table" = ${table} AND id = ${id} ORDER BY n`;
      return rows.map(({ state }) => state);
    },
  };
}
