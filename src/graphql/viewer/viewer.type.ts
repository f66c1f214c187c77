import { Field, ObjectType } from 'type-graphql';
import type { Principal } from '../../store/principals.ts';
import { RoleEnum } from '../shared/enums.ts';

@ObjectType({ description: 'Who is calling.' })
export class Viewer {
  @Field(() => String, { description: 'Name of the person or program.' })
  name!: string;

  @Field(() => RoleEnum, { description: 'What it may do.' })
  role!: Principal['role'];

  @Field(() => String, { description: 'Name of the tenant whose jobs it sees.' })
  tenant!: string;
}
