import test, { type TestFn } from 'ava';
import { openXgboost, XgboostMissingError } from '../../../models/train/xgboost.ts';

/** `test` where XGBoost is installed; elsewhere `test.skip`. */
export const testWithXgboost: TestFn | TestFn['skip'] = hasXgboost() ? test : test.skip;

/** `test.serial` where XGBoost is installed; elsewhere `test.serial.skip`. */
export const serialTestWithXgboost: typeof test.serial | typeof test.serial.skip = hasXgboost()
  ? test.serial
  : test.serial.skip;

function hasXgboost(): boolean {
  try {
    openXgboost();
    return true;
  } catch (error) {
    if (error instanceof XgboostMissingError) return false;
    throw error;
  }
}
