#!/bin/sh
# Builds the engine and two exports of 10,000 benchmarks for the suite `compare`: the second one is up to 1 %
# slower or faster than the first, so that `benchgate compare` has something to judge and ends with 0.
set -eu
cargo build --release --locked --package benchgate

export_of() {
    awk -v run="$1" -v scatter="$2" '
        function estimate(name, value, comma) {
            printf "        \"%s\": { \"confidence_interval\": { \"confidence_level\": 0.95, ", name
            printf "\"lower_bound\": %.3f, \"upper_bound\": %.3f }, ", value * 0.98, value * 1.02
            printf "\"point_estimate\": %.3f, \"standard_error\": %.3f }%s\n", value, value * 0.01, comma
        }
        BEGIN {
            count = 10000
            random = 12345
            printf "{\n  \"name\": \"%s\",\n  \"benchmarks\": {\n", run
            for (i = 0; i < count; i++) {
                random = (random * 16807) % 2147483647
                ns = 100 + random / 20000 * (1 + scatter * (i % 5 - 2) / 200)
                id = sprintf("group %04d/function %d/%d", i / 10, i % 10, i)
                printf "    \"%s\": {\n      \"baseline\": \"%s\",\n", id, run
                printf "      \"fullname\": \"%s/%s\",\n      \"criterion_benchmark_v1\": {\n", run, id
                printf "        \"group_id\": \"group\", \"function_id\": null, \"value_str\": null, "
                printf "\"throughput\": null,\n        \"full_id\": \"%s\", ", id
                printf "\"directory_name\": \"d\"\n      },\n      \"criterion_estimates_v1\": {\n"
                estimate("mean", ns, ",")
                estimate("median", ns * 0.99, ",")
                estimate("median_abs_dev", ns * 0.02, ",")
                estimate("slope", ns, ",")
                estimate("std_dev", ns * 0.03, "")
                printf "      }\n    }%s\n", i + 1 == count ? "" : ","
            }
            printf "  }\n}\n"
        }'
}
export_of before 0 >target/before.json
export_of after 1 >target/after.json
# This repository's own rules are about other benchmarks.
: >target/no-rules.toml
