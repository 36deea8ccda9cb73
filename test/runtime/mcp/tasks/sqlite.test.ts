import { sqliteDatabase } from '../../store/replicas.ts';
import { tasksContract } from './tasks-contract.ts';

tasksContract('SQLite', sqliteDatabase);
