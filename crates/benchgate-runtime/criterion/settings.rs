use crate::pattern::Regex;

/// How many inputs of a batch are alive at a time.
#[derive(Debug, Eq, PartialEq, Copy, Hash, Clone)]
pub enum BatchSize {
    /// Ten batches.
    SmallInput,
    /// A thousand batches.
    LargeInput,
    /// One input at a time.
    PerIteration,
    /// So many batches.
    NumBatches(u64),
    /// So many inputs at a time.
    NumIterations(u64),
    #[doc(hidden)]
    __NonExhaustive,
}

impl BatchSize {
    pub(crate) fn checked(self, iterations: u64) -> u64 {
        let batch_size = match self {
            BatchSize::SmallInput => (iterations + 10 - 1) / 10,
            BatchSize::LargeInput => (iterations + 1000 - 1) / 1000,
            BatchSize::PerIteration => 1,
            BatchSize::NumBatches(batches) => (iterations + batches - 1) / batches,
            BatchSize::NumIterations(size) => size,
            BatchSize::__NonExhaustive => panic!("__NonExhaustive is not a valid BatchSize."),
        };
        assert!(batch_size != 0, "Batch size must not be zero.");
        batch_size
    }
}

/// What the throughput of a benchmark is counted in.
pub(crate) enum Amount {
    Bits(u64),
    Bytes(u64),
    BytesDecimal(u64),
    Elements(u64),
    Both { elements: u64, bytes: u64 },
}

// Measurements of others match the variants exhaustively: there must be exactly those of the version.
macro_rules! throughput {
    ([$($variants:tt)*] [$($arms:tt)*]) => {
        /// What a benchmark processes in an iteration.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Throughput {
            /// Bytes, in multiples of 1024.
            Bytes(u64),
            /// Elements.
            Elements(u64),
            $($variants)*
        }

        impl Throughput {
            pub(crate) fn amount(&self) -> Amount {
                match *self {
                    Throughput::Bytes(bytes) => Amount::Bytes(bytes),
                    Throughput::Elements(elements) => Amount::Elements(elements),
                    $($arms)*
                }
            }
        }
    };
}

before_0_4! {
    throughput! { [] [] }
}
since_0_4! {
    before_0_7! {
        throughput! {
            [BytesDecimal(u64),]
            [Throughput::BytesDecimal(bytes) => Amount::BytesDecimal(bytes),]
        }
    }
}
since_0_7! {
    before_0_8! {
        throughput! {
            [BytesDecimal(u64), Bits(u64),]
            [
                Throughput::BytesDecimal(bytes) => Amount::BytesDecimal(bytes),
                Throughput::Bits(bits) => Amount::Bits(bits),
            ]
        }
    }
}
since_0_8! {
    throughput! {
        [BytesDecimal(u64), Bits(u64), ElementsAndBytes { elements: u64, bytes: u64 },]
        [
            Throughput::BytesDecimal(bytes) => Amount::BytesDecimal(bytes),
            Throughput::Bits(bits) => Amount::Bits(bits),
            Throughput::ElementsAndBytes { elements, bytes } => Amount::Both { elements, bytes },
        ]
    }
}
since_0_3_6! {
    impl Eq for Throughput {}
}

/// How iterations are spread over samples.
#[derive(Debug, Clone, Copy)]
pub enum SamplingMode {
    /// As the time of an iteration suggests.
    Auto,
    /// More in each sample.
    Linear,
    /// The same in each sample.
    Flat,
}

/// Scale of an axis of a plot.
#[derive(Debug, Clone, Copy)]
pub enum AxisScale {
    /// Linear.
    Linear,
    /// Logarithmic.
    Logarithmic,
}

since_0_6! {
    impl Default for SamplingMode {
        fn default() -> Self {
            SamplingMode::Auto
        }
    }
    impl Default for AxisScale {
        fn default() -> Self {
            AxisScale::Linear
        }
    }
}

/// How plots look. None are made.
#[derive(Debug, Clone)]
pub struct PlotConfiguration {
    summary_scale: AxisScale,
}

impl Default for PlotConfiguration {
    fn default() -> Self {
        PlotConfiguration { summary_scale: AxisScale::Linear }
    }
}

impl PlotConfiguration {
    /// Sets the scale of the summary.
    pub fn summary_scale(mut self, new_scale: AxisScale) -> PlotConfiguration {
        self.summary_scale = new_scale;
        self
    }
}

before_0_4! {
    /// What makes plots. None are made.
    #[derive(Debug, Clone, Copy)]
    pub enum PlottingBackend {
        /// The program gnuplot.
        Gnuplot,
        /// The crate plotters.
        Plotters,
    }

    /// What is done with saved values. None are saved.
    #[derive(Debug, Clone, Copy)]
    pub enum Baseline {
        /// Compare with them.
        Compare,
        /// Save them.
        Save,
    }
}
since_0_4! {
    /// What makes plots. None are made.
    #[derive(Debug, Clone, Copy)]
    pub enum PlottingBackend {
        /// The program gnuplot.
        Gnuplot,
        /// The crate plotters.
        Plotters,
        /// Nothing.
        None,
    }

    /// What is done with saved values. None are saved.
    #[derive(Debug, Clone, Copy)]
    pub enum Baseline {
        /// Compare with them where there are some.
        CompareLenient,
        /// Compare with them.
        CompareStrict,
        /// Save them.
        Save,
        /// Throw values away.
        Discard,
    }
}

/// Which benchmarks run.
#[derive(Clone, Debug)]
pub enum BenchmarkFilter {
    /// All.
    AcceptAll,
    /// Those whose id matches somewhere.
    Regex(Regex),
    /// The one with this id.
    Exact(String),
    /// None.
    RejectAll,
}

impl BenchmarkFilter {
    pub(crate) fn regex(text: &str) -> Self {
        match Regex::new(text) {
            Ok(regex) => BenchmarkFilter::Regex(regex),
            Err(error) => {
                panic!("Unable to parse '{}' as a regular expression: {}", text, error)
            }
        }
    }

    pub(crate) fn matches(&self, id: &str) -> bool {
        match self {
            BenchmarkFilter::AcceptAll => true,
            BenchmarkFilter::Regex(regex) => regex.is_match(id),
            BenchmarkFilter::Exact(exact) => id == exact,
            BenchmarkFilter::RejectAll => false,
        }
    }
}
