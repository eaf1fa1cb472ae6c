import * as Args from '@oclif/core/args';
import { commandRow } from '../../../src/cli/command/row.js';
import { orderColumns } from '../../../src/cli/moderation/cases/order-columns.js';
import { orderRoutes } from '../../../src/contract/reports/orders.js';

export default {
  create: commandRow({
    route: orderRoutes.create,
    description: orderRoutes.create.description,
    examples: [
      '--kind act --user u_42 --category hate --authority "Amtsgericht Bonn" --member-state DE --reference "12 Gs 345/26" --legal-ground "§ 130 StGB"',
    ],
    columns: orderColumns,
  }),
  get: commandRow({
    route: orderRoutes.get,
    examples: ['ORDER'],
    args: { order: Args.string({ required: true, description: 'Order, by id' }) },
  }),
  list: commandRow({
    route: orderRoutes.list,
    examples: ['--status open'],
    columns: orderColumns,
  }),
  update: commandRow({
    route: orderRoutes.update,
    examples: ['ORDER --receipt-confirmed-at now', 'ORDER --outcome information_given'],
    args: { order: Args.string({ required: true, description: 'Order, by id' }) },
    columns: orderColumns,
  }),
};
