// All tests that need a browser, in one: they share it.
import "./page.test.mjs";
import "./plots.test.mjs";
import "./numbers.test.mjs";
import "./drawings.test.mjs";
import "./views.test.mjs";
import "./vehicles.test.mjs";
