package robobuffers;

import benchgate.protobuf.Car;
import benchgate.protobuf.FooBarContainer;
import benchgate.protobuf.MarketData;

/** The messages of the document, filled in with its values, by protobuf-java. */
final class Samples {
    static final float[][] ACCELERATION = {{30, 4.0f}, {60, 7.5f}, {100, 12.2f}};
    static final float[][] FASTER = {{30, 3.8f}, {60, 7.1f}, {100, 11.8f}};
    static final float[] MPG = {35.9f, 49.0f, 40.0f};
    static final String LOCATION = "http://google.com/flatbuffers/";
    static final String NAME = "Hello, World!";
    static final long ID = 0xABADCAFEABADCAFEL;

    private Samples() {}

    static byte[] car() {
        return fill(Car.newBuilder()).build().toByteArray();
    }

    static byte[] market() {
        return fill(MarketData.newBuilder()).build().toByteArray();
    }

    static byte[] container() {
        return fill(FooBarContainer.newBuilder()).build().toByteArray();
    }

    static Car.Builder fill(Car.Builder car) {
        car.setSerialNumber(12345).setModelYear(2005).setAvailable(true).setCode(Car.Model.A);
        for (int number = 0; number < 5; number++) {
            car.addSomeNumbers(number);
        }
        car.setVehicleCode("abcdef").addExtras(Car.Extra.SPORTS_PACK).addExtras(Car.Extra.SUN_ROOF);
        car.getEngineBuilder().setCapacity(4200).setCylinders(8).setManufacturerCode("abc");
        for (float mpg : MPG) {
            car.addFuelFiguresBuilder().setSpeed(30).setMpg(mpg);
        }
        performance(car, 95, ACCELERATION);
        performance(car, 99, FASTER);
        return car.setManufacturer("AUDI").setModel("R8");
    }

    private static void performance(Car.Builder car, int octane, float[][] figures) {
        Car.PerformanceFigures.Builder performance = car.addPerformanceFiguresBuilder().setOctaneRating(octane);
        for (float[] figure : figures) {
            performance.addAccelerationBuilder().setMph((int) figure[0]).setSeconds(figure[1]);
        }
    }

    static MarketData.Builder fill(MarketData.Builder data) {
        data.setTransactTime(1234)
                .setEventTimeDelta(987)
                .setMatchEventIndicator(MarketData.MatchEventIndicator.END_EVENT);
        for (int entry = 0; entry < 2; entry++) {
            MarketData.Entry.Builder added = data.addEntriesBuilder().setTradeId(1234).setSecurityId(56789);
            added.getPriceBuilder().setMantissa(50);
            added.getSizeBuilder().setMantissa(10);
            added.setNumberOfOrders(1)
                    .setUpdateAction(MarketData.UpdateAction.NEW)
                    .setRepSeq(1)
                    .setAggressorSide(MarketData.Side.BUY)
                    .setEntryType(MarketData.EntryType.BID);
        }
        return data;
    }

    static FooBarContainer.Builder fill(FooBarContainer.Builder container) {
        for (int at = 0; at < 3; at++) {
            FooBarContainer.FooBar.Builder added = container.addListBuilder();
            FooBarContainer.Bar.Builder bar = added.getSiblingBuilder();
            bar.getParentBuilder().setId(ID + at).setCount(10000 + at).setPrefix('@' + at).setLength(1000000 + at);
            bar.setTime(123456 + at).setRatio(3.14159f + at).setSize(10000 + at);
            added.setName(NAME).setRating(rating(at)).setPostfix('!' + at);
        }
        return container.setInitialized(true).setFruit(FooBarContainer.Fruit.BANANAS).setLocation(LOCATION);
    }

    static double rating(int at) {
        return 3.1415432432445543543 + at;
    }
}
